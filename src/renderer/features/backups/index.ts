import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const backups = {
  section: 'backups',
  needs: 'backups.read',
  // Copies on this computer take nothing else.
  orNeeds: 'files.read',
  part: (server) => part(() => import('./Backups.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
