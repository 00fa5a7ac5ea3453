export const sftp = {
  'rcon.title': 'Befehle in der Konsole',
  'rcon.text':
    'Befehle erreichen das Spiel über RCON, durch SSH. Setze enable-rcon, rcon.password und rcon.port in server.properties und starte den Server neu.',
  'rcon.plain': 'Stellt der Hoster keine Verbindungen durch SSH her, unverschlüsselt senden',
  'rcon.plain-text':
    'Unterwegs ist das Passwort von RCON dann lesbar, und wer es hat, beherrscht den Server. Nimm eines, das du nirgends sonst benutzt.',

  'power-line.title': 'Starten und stoppen',
  'power-line.text':
    'Befehle, die das Spiel auf seinem Rechner starten und stoppen. Jeder wird noch einmal gezeigt, bevor er dort als {user} läuft. Sie bleiben auf diesem Computer.',
  'power-line.start': 'Befehl zum Starten',
  'power-line.stop': 'Befehl zum Stoppen',
  'power-line.restart': 'Befehl zum Neustarten',
  'power-line.saved': 'Befehle gespeichert',
  'power-line.unchanged': 'Es wurde nichts geändert.',
  'power-line.ask-start': 'Mit diesem Befehl starten?',
  'power-line.ask-stop': 'Mit diesem Befehl stoppen?',
  'power-line.ask-restart': 'Mit diesem Befehl neu starten?',
  'power-line.where': 'Er läuft als {user} auf {host}.',
  'power-line.run': 'Ausführen',
}
