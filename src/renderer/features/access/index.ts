import { part, type SectionFeature, WHOLE } from '../feature.ts'

/** Without the permission to see others, a guest can leave here. */
export const access = {
  section: 'access',
  absent: ({ connection }) => (connection?.kind === 'local' ? 'access' : null),
  part: (server) => part(() => import('./Access.svelte'), { server }, WHOLE),
  fills: true,
  atConnection: (connectionId) => part(() => import('./Invitations.svelte'), { connectionId }),
} as const satisfies SectionFeature
