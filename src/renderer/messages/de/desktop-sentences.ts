export const desktopSentences = {
  'desktop.not-here': 'Das gibt es nur, wenn Wheelhouse in einem eigenen Fenster läuft.',
  'desktop.autostart-not-installed':
    'Wheelhouse kann erst mit dem System starten, wenn es installiert ist. Installiere es und wähle das dann dort.',
  'desktop.keep-not-installed':
    'Server können ohne Wheelhouse nur weiterlaufen, wenn es installiert ist. Installiere es und wähle das dann dort.',
  'desktop.keep-not-on':
    'Dein System konnte keinen Hintergrunddienst für dich einrichten. Server werden daher weiterhin gestoppt, wenn Wheelhouse beendet wird. Unter Linux braucht das systemd mit einer Sitzung deines Benutzers.',
  'desktop.autostart-not-on':
    'Dein System startet Wheelhouse beim Anmelden nicht. Erlaube es in den Systemeinstellungen für Anmeldeobjekte oder Autostart und versuche es dann noch einmal.',
  'desktop.autostart-not-off':
    'Dein System startet Wheelhouse beim Anmelden weiterhin. Schalte es in den Systemeinstellungen für Anmeldeobjekte oder Autostart aus.',
  'desktop.windows-most': 'Du hast schon {most} weitere Fenster offen. Schließe zuerst eines davon.',
  'computer.dialog-open':
    'Ein Dialog, der nach Dateien oder einem Ordner fragt, ist schon geöffnet. Beantworte ihn zuerst.',
  'computer.whole-disk':
    '{path} ist ein ganzer Datenträger. Wähle die Ordner darauf, die du hochladen möchtest.',
  'computer.no-downloads':
    'Der Ordner für Downloads ist nicht da: {folder}. Schließe seinen Datenträger an oder wähle in den Einstellungen einen anderen Ordner.',
  'computer.not-here':
    'Das liegt nicht mehr da, wohin es heruntergeladen wurde. Es wurde verschoben, umbenannt oder gelöscht.',
}
