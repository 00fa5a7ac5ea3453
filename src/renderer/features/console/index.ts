import { part, WHOLE, type TabFeature } from '../feature.ts'

export const console = {
  tab: 'console',
  needs: 'console.read',
  ahead: () => import('./Console.svelte'),
  part: ({ connectionId, serverId }) =>
    part(() => import('./Console.svelte'), { connectionId, serverId }, WHOLE),
} as const satisfies TabFeature
