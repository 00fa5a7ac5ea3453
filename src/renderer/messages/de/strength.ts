/** Wie schwer ein neues Passwort zu erraten ist. */
export const strength = {
  'strength.0': 'Sehr leicht zu erraten. Nimm einen ganzen Satz oder lass einen Passwortmanager wählen.',
  'strength.1': 'Leicht zu erraten. Nimm einen ganzen Satz oder lass einen Passwortmanager wählen.',
  'strength.2': 'Mit etwas Aufwand zu erraten. Ein paar Wörter mehr machen es besser.',
  'strength.3': 'Schwer zu erraten.',
  'strength.4': 'Sehr schwer zu erraten.',
} as const
