; What the installer and the uninstaller of Windows do by themselves; electron-builder's templates insert it. The panel's folder
; stays: servers and their worlds are the person's own.

; Whether the program of this installation runs, as a panel or as the background service. Answers in $R0: 10 where it does. Its path goes
; through the environment, as a quote in it would end the command.
!macro wheelhouseRuns
  System::Call 'kernel32::SetEnvironmentVariable(t "WHEELHOUSE_PROGRAM", t "$INSTDIR\${APP_EXECUTABLE_FILENAME}")'
  nsExec::Exec `"$PowerShellPath" -NoProfile -NonInteractive -Command "if (@(Get-CimInstance Win32_Process -ErrorAction Stop | Where-Object { $$_.ExecutablePath -eq $$env:WHEELHOUSE_PROGRAM }).Count) { exit 10 } else { exit 11 }"`
  Pop $R0
  ${if} $R0 != 10
  ${andIf} $R0 != 11
    ; Where PowerShell may not be used: by its name alone.
    nsExec::Exec `"$CmdPath" /C tasklist /FI "IMAGENAME eq ${APP_EXECUTABLE_FILENAME}" /FO CSV /NH | "$SYSDIR\findstr.exe" /B /I /C:"\"${APP_EXECUTABLE_FILENAME}\""`
    Pop $R0
    ${if} $R0 == 0
      StrCpy $R0 10
    ${endIf}
  ${endIf}
!macroend

; In place of electron-builder's own, which ends the program by force after a second, and with it servers in the middle of saving
; their worlds. Nothing is ended here: an update waits for the program, which stops its servers and closes by itself, up to five minutes;
; then, and where a person runs the installer or the uninstaller, they are asked to quit it. Without a person it is given up.
!macro customCheckAppRunning
  Push $R0
  Push $R1
  Push $R2
  StrCpy $R1 0
  ${do}
    !insertmacro wheelhouseRuns
    ${if} $R0 != 10
      ${exitDo}
    ${endIf}
    ${if} ${isUpdated}
    ${andIf} $R1 < 300
      IntOp $R1 $R1 + 1
      Sleep 1000
    ${else}
      ${if} $LANGUAGE == 1031
        StrCpy $R2 "Wheelhouse läuft noch.$\r$\n$\r$\nBeende es in seinem Fenster oder im Infobereich: Dann werden die Server dieses Computers angehalten und ihre Welten gespeichert. Laufen Server im Hintergrund, öffne Wheelhouse, schalte unter App-Einstellungen, Desktop, das Weiterlaufen aus, und beende es dann. Klicke danach auf Wiederholen."
      ${else}
        StrCpy $R2 "Wheelhouse is still running.$\r$\n$\r$\nQuit it in its window or in the tray: then the servers of this computer are stopped and their worlds saved. If servers run in the background, open Wheelhouse, turn off under App settings, Desktop, that they keep running, and quit it then. Click Retry afterwards."
      ${endIf}
      ${if} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$R2" /SD IDCANCEL IDCANCEL`
        SetErrorLevel 2
        Quit
      ${endIf}
    ${endIf}
  ${loop}
  Pop $R2
  Pop $R1
  Pop $R0
!macroend

; What the uninstaller removes beside the program: what the program told the system by itself.

!define WHEELHOUSE_RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define WHEELHOUSE_RUN_APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define WHEELHOUSE_LINKS "Software\Classes\wheelhouse"
!define WHEELHOUSE_TOASTS "Software\Classes\CLSID\{6F0B2C57-0E5D-4E0C-9E3A-7C1B5D9A4E21}"

; Whether a command line, in $R0, begins with a program of this installation. Answers in $R0: "1" where it does.
!macro wheelhouseIsOurs
  StrLen $R1 '"$INSTDIR\'
  StrCpy $R2 $R0 $R1
  StrCpy $R0 "0"
  ${if} $R2 == '"$INSTDIR\'
    StrCpy $R0 "1"
  ${endif}
!macroend

!macro customUnInstall
  ; A newer version is about to take this one's place: what a person chose stays chosen.
  ${ifNot} ${isUpdated}
    Push $R0
    Push $R1
    Push $R2

    ; Starting with the system. Electron names it by the program's id.
    ReadRegStr $R0 HKCU "${WHEELHOUSE_RUN}" "${APP_ID}"
    !insertmacro wheelhouseIsOurs
    ${if} $R0 == "1"
      DeleteRegValue HKCU "${WHEELHOUSE_RUN}" "${APP_ID}"
      DeleteRegValue HKCU "${WHEELHOUSE_RUN_APPROVED}" "${APP_ID}"
    ${endif}

    ; Links, unless another installation has taken them over.
    ReadRegStr $R0 HKCU "${WHEELHOUSE_LINKS}\shell\open\command" ""
    !insertmacro wheelhouseIsOurs
    ${if} $R0 == "1"
      DeleteRegKey HKCU "${WHEELHOUSE_LINKS}"
    ${endif}

    ; What a click on a notification starts. Electron writes the program there without quotes.
    ReadRegStr $R0 HKCU "${WHEELHOUSE_TOASTS}\LocalServer32" ""
    StrCpy $R0 '"$R0'
    !insertmacro wheelhouseIsOurs
    ${if} $R0 == "1"
      DeleteRegKey HKCU "${WHEELHOUSE_TOASTS}"
    ${endif}

    ; The background service of the default folder: its task has the name of the file it was made from.
    ClearErrors
    FindFirst $R0 $R1 "$APPDATA\Wheelhouse\wheelhouse-????????????.xml"
    ${doUntil} ${errors}
      ; Without the ending.
      StrCpy $R2 $R1 -4
      ${if} $R2 != ""
        nsExec::Exec '"$SYSDIR\schtasks.exe" /Delete /TN "Wheelhouse\$R2" /F'
        Pop $R2
        ${if} $R2 == 0
          Delete "$APPDATA\Wheelhouse\$R1"
        ${endif}
      ${endif}
      ClearErrors
      FindNext $R0 $R1
    ${loop}
    FindClose $R0
    ClearErrors

    Pop $R2
    Pop $R1
    Pop $R0
  ${endif}
!macroend
