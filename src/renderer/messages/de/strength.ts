export const strength = {
  'strength.0': 'Sehr leicht zu erraten. Nimm einen ganzen Satz.',
  'strength.1': 'Leicht zu erraten. Nimm einen ganzen Satz.',
  'strength.2': 'Nicht sehr schwer zu erraten. Nimm ein paar Wörter mehr.',
  'strength.3': 'Schwer zu erraten.',
  'strength.4': 'Sehr schwer zu erraten.',
} as const
