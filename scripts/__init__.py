"""What is made of the tree beside the program: licences, bill of materials, the bundle for machines without network."""
