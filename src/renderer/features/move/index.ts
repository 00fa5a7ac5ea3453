import { part, type SectionFeature } from '../feature.ts'

export const move = {
  section: 'move',
  needs: 'files.read',
  part: (server) => part(() => import('./MoveServer.svelte'), { server }),
} as const satisfies SectionFeature
