"""The terminal application: `views` turn models into rows and words, `widgets` draw them, `screens` put them together."""
