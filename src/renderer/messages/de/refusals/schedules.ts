export const scheduleRefusals = {
  'refused.schedules.not-found': 'Diesen Zeitplan gibt es nicht. Vielleicht wurde er gelöscht.',
  'refused.schedules.too-many':
    'Dieser Server hat {most} Zeitpläne, mehr sind nicht möglich. Lösche zuerst einen.',
  'refused.schedules.running': 'Dieser Zeitplan läuft schon. Warte, bis er fertig ist.',
  'refused.schedules.invalid.when': 'Wähle, wann er läuft: eine Zeit oder ein Ereignis.',
  'refused.schedules.invalid.cron': '„{cron}“ ist kein Cron-Ausdruck aus fünf Feldern wie 0 5 * * 1-5.',
  'refused.schedules.invalid.never': '„{cron}“ ist nie fällig. Wähle eine andere Zeit.',
  'refused.schedules.invalid.minutes': 'Gib an, wie viele Minuten niemand da sein muss.',
  'refused.schedules.invalid.players': 'Gib eine Spielerzahl an, entweder mehr oder weniger als sie.',
  'refused.schedules.invalid.between': 'Die beiden Uhrzeiten müssen sich unterscheiden.',
  'refused.schedules.invalid.steps': 'Füge mindestens einen Schritt hinzu.',
  'refused.schedules.invalid.text': 'Gib die Nachricht ein.',
  'refused.schedules.invalid.text-line': 'Eine Nachricht ist eine einzelne Zeile ohne Steuerzeichen.',
  'refused.schedules.invalid.countdown': 'Setze {time} dorthin, wo die restliche Zeit stehen soll.',
  'refused.schedules.invalid.power': 'Wähle Starten, Stoppen oder Neu starten.',
  'refused.schedules.invalid.seconds': 'Gib an, wie lange gewartet wird.',
  'refused.schedules.not-here': 'Dieser Server kann diesen Schritt nicht.',

  'refused.schedules.unmet.online': 'Der Server war nicht online.',
  'refused.schedules.unmet.none': 'Jemand war da.',
  'refused.schedules.unmet.some': 'Niemand war da.',
  'refused.schedules.unmet.between': 'Es war nicht zwischen {begins} und {ends}.',
  'refused.schedules.still-running': 'Er lief noch vom Mal davor.',
  'refused.schedules.off': 'Er wurde inzwischen ausgeschaltet.',
  'refused.schedules.ended': 'Der Server kam nicht online.',
  'refused.schedules.too-long': 'Es dauerte länger als {minutes} Minuten.',
  'refused.schedules.undone':
    'Mit den aktualisierten Plugins startete der Server nicht. Die Aktualisierung wurde rückgängig gemacht und der Server wieder gestartet.',
  'refused.schedules.undone.not-started':
    'Mit den aktualisierten Plugins startete der Server nicht. Die Aktualisierung wurde rückgängig gemacht, aber der Server startet immer noch nicht.',
  'refused.schedules.paused': '{author} hat die Rechte für seine Schritte nicht mehr ({scopes}).',
  'refused.schedules.paused.gone': '{author} hat keinen Zugriff mehr auf diesen Server.',
  'refused.schedules.paused.often':
    'Er hat sich immer wieder selbst ausgelöst: mehr als {most}-mal hintereinander.',
} as const
