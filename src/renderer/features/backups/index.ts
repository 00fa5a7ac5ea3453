import { lacksArea } from '../../core/servers/service-areas.ts'
import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const backups = {
  section: 'backups',
  needs: 'backups.read',
  absent: (of) => (lacksArea('backups', of) ? 'backups' : null),
  part: (server) => part(() => import('./Backups.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
