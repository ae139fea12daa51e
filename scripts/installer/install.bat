@echo off
rem Installs from the unpacked bundle: install.bat [--to FOLDER]
for %%p in ("py -3" "python") do (
  %%~p -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && %%~p "%~dp0." %* && exit /b 0
)
echo Fabric Advisor needs Python 3.11 or newer.
exit /b 1
