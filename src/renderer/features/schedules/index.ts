import { lacksArea } from '../../core/servers/place.ts'
import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const schedules = {
  section: 'schedules',
  needs: 'schedules.read',
  absent: (of) => (lacksArea('schedules', of) ? 'schedules' : null),
  part: (server) => part(() => import('./Schedules.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
