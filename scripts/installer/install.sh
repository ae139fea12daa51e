#!/bin/sh
# Installs from the unpacked bundle: sh install.sh [--to FOLDER]
# 从解压后的安装包安装：sh install.sh [--to 目录]
here=$(cd "$(dirname "$0")" && pwd)
for python in "$PYTHON" python3.13 python3.12 python3.11 python3; do
  [ -n "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && exec "$python" "$here" "$@"
done
echo "Fabric Advisor needs Python 3.11 or newer: PYTHON=/path/to/python3 sh install.sh" >&2
echo "Fabric Advisor 需要 Python 3.11 或更新版本：PYTHON=/路径/python3 sh install.sh" >&2
exit 1
