import { part, type SectionFeature } from '../feature.ts'

export const software = {
  section: 'software',
  needs: 'software.write',
  inConfig: ({ container }) => !container,
  part: (server) => part(() => import('./SoftwareView.svelte'), { server }),
} as const satisfies SectionFeature
