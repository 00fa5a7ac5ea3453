import { part, type TabFeature } from '../feature.ts'

export const software = {
  tab: 'software',
  part: (server) => part(() => import('./SoftwareView.svelte'), { server }),
} as const satisfies TabFeature
