export const power = {
  'power.ask-stop': { one: '{name} stoppen?', other: '{count} Server stoppen?' },
  'power.ask-restart': { one: '{name} neu starten?', other: '{count} Server neu starten?' },
  'power.ask-kill': { one: '{name} sofort beenden?', other: '{count} Server sofort beenden?' },
  'power.kill-text':
    'Das Programm endet sofort, ohne zu speichern. Alles seit dem letzten Speichern der Welt geht verloren. Mit „Stoppen“ wird vorher gespeichert.',
  'power.ask-text': {
    one: '{count} Spieler ist online und wird getrennt.',
    other: '{count} Spieler sind online und werden getrennt.',
  },
  'power.ask-remember': 'Auswahl merken',
  'power.stop-now': 'Jetzt stoppen',
  'power.restart-now': 'Jetzt neu starten',
  'power.stop-warned': 'Spieler warnen, in 1 Minute stoppen',
  'power.restart-warned': 'Spieler warnen, in 1 Minute neu starten',
  'power.countdown': 'Countdown',
  'power.stop-in': 'Stoppt in {left}',
  'power.restart-in': 'Neustart in {left}',

  'power.copy-address': 'Adresse kopieren',

  'power.players-on': 'Wenn Spieler online sind',
  'power.players-on-ask': 'Vor dem Stoppen und Neustarten fragen',
  'power.players-on-warn': 'Spieler 1 Minute lang warnen',
  'power.players-on-now': 'Sofort stoppen oder neu starten',
}
