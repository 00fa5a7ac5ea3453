export const overview = {
  'overview.status': 'Status',
  'overview.for': 'seit {length}',
  'overview.address': 'Adresse',
  'overview.software': 'Software',
  'overview.memory': 'Arbeitsspeicher',
  'overview.memory-limit': 'Grenze',
  'overview.step-copy': 'Kopie wird gemacht',
  'overview.step-java': 'Java wird geladen',
  'overview.step-software': 'Software wird geladen',
  'overview.step-setup': 'Wird eingerichtet',
  'overview.step-pack': 'Modpack wird geladen',
} as const
