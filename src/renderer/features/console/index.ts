import { part, WHOLE, type TabFeature } from '../feature.ts'

export const console = {
  tab: 'console',
  needs: 'console.read',
  ahead: () => import('./Console.svelte'),
  part: (server) => part(() => import('./Console.svelte'), { server }, WHOLE),
} as const satisfies TabFeature
