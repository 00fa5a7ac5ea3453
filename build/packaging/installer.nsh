; What the uninstaller of Windows removes beside the program: what the program told the system by itself. electron-builder's
; templates/nsis/uninstaller.nsh inserts this. The panel's folder stays: servers and their worlds are the person's own.

!define WHEELHOUSE_RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define WHEELHOUSE_RUN_APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define WHEELHOUSE_LINKS "Software\Classes\wheelhouse"

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
