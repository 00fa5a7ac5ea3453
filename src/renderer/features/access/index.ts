import { part, type SectionFeature, WHOLE } from '../feature.ts'

/** Without the permission to see others, a guest can leave here; but not at a host. */
export const access = {
  section: 'access',
  absent: ({ server, connection }) => {
    if (connection?.kind === 'service') return null
    const isShared = Array.isArray(server?.role) && server.role.includes('access.read')
    return connection?.kind === 'host' && isShared ? null : 'access'
  },
  part: (server) => part(() => import('./Access.svelte'), { server }, WHOLE),
  fills: true,
  atConnection: (connectionId) => part(() => import('./Invitations.svelte'), { connectionId }),
} as const satisfies SectionFeature
