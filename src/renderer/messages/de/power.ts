export const power = {
  'warning.ask-stop': { one: '{name} stoppen?', other: '{count} Server stoppen?' },
  'warning.ask-restart': { one: '{name} neu starten?', other: '{count} Server neu starten?' },
  'warning.ask-kill': { one: '{name} sofort beenden?', other: '{count} Server sofort beenden?' },
  'warning.kill-text':
    'Das Programm endet sofort, ohne zu speichern. Alles seit dem letzten Speichern der Welt geht verloren. Mit „Stoppen“ wird vorher gespeichert.',
  'warning.ask-text': {
    one: '{count} Spieler ist online und wird getrennt.',
    other: '{count} Spieler sind online und werden getrennt.',
  },
  'warning.ask-remember': 'Nicht mehr fragen',
  'warning.stop-now': 'Jetzt stoppen',
  'warning.restart-now': 'Jetzt neu starten',
  'warning.stop-warned': 'Spieler warnen, in 1 Minute stoppen',
  'warning.restart-warned': 'Spieler warnen, in 1 Minute neu starten',
  'warning.countdown': 'Countdown',
  'warning.stop-in': 'Stoppt in {left}',
  'warning.restart-in': 'Neustart in {left}',

  'power.back-up': 'Jetzt sichern',
  'power.backing-up': 'Backup von {name} läuft',
  'power.show-backups': 'Backups zeigen',

  'address.copy-it': 'Adresse kopieren',

  'warning.players-on': 'Wenn Spieler online sind',
  'warning.players-on-ask': 'Vor dem Stoppen und Neustarten fragen',
  'warning.players-on-warn': 'Spieler 1 Minute lang warnen',
  'warning.players-on-now': 'Sofort stoppen oder neu starten',
}
