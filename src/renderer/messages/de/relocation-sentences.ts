export const relocationSentences = {
  'relocation.same': 'Ein Server kann nicht in sich selbst umziehen. Wähle einen anderen.',
  'relocation.one-machine':
    'Beide sind auf demselben Rechner, und ein Ordner kann im anderen liegen. Behalte die Dateien dort oder lösche sie selbst.',
  'relocation.no-server':
    'Dort ist keine server.properties, also vielleicht kein Server, und nichts wird gelöscht. Behalte die Dateien oder lösche sie selbst.',
  'relocation.runs': '„{server}“ läuft. Stoppe ihn zuerst.',
  'relocation.run-state':
    'Ob „{server}“ läuft, ist nicht bekannt. Stelle sicher, dass er gestoppt ist, und bestätige es.',
  'relocation.busy': 'Einer dieser Server zieht schon um. Warte darauf oder brich es ab.',
  'relocation.nothing': 'Der Server hat keine Dateien für einen Umzug. Sieh in seinen Dateien nach.',
  'relocation.too-large':
    'Der Server hat mehr als {most} Dateien und Ordner, zu viele für einen Umzug auf einmal.',
  'relocation.no-room':
    'Dort ist zu wenig Platz: Nötig sind {needed:bytes}, frei sind {free:bytes}. Mach dort zuerst Platz.',
  'relocation.not-deleted':
    '„{name}“ konnte dort nicht gelöscht werden. Lösche es selbst und versuche es dann noch einmal.',
  'relocation.transfer-failed':
    'Einige Dateien konnten nicht kopiert werden. Die Übertragung nennt sie; versuche es noch einmal.',
  'relocation.differs':
    '{count} Dateien dort weichen vom Original ab. Versuche es noch einmal, dann wird alles neu kopiert.',
  'relocation.transfer-gone':
    'Die Übertragung steht nicht mehr in der Liste. Versuche es noch einmal, dann wird der Rest kopiert.',
  'relocation.too-many': 'Höchstens {most} Umzüge bleiben gemerkt. Entferne zuerst einen beendeten.',
  'relocation.gone': 'Dieser Umzug ist beendet. Lade die Seite neu.',
} as const
