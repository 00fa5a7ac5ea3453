export const firstRun = {
  'first-run.title': 'Erste Schritte',
  'first-run.start': 'Server starten',
  'first-run.join': 'In Minecraft beitreten',
  'first-run.friends': 'Freunde einladen',
  'first-run.access': 'Zugriff teilen',
} as const
