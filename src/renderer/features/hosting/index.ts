import { atHosts } from '../../core/servers/place.ts'
import { part, type SectionFeature } from '../feature.ts'

const load = () => import('./HostLists.svelte')

export const databases = {
  section: 'databases',
  needs: 'databases.read',
  absent: atHosts,
  part: (server) => part(load, { server, list: 'databases' }),
} as const satisfies SectionFeature

export const ports = {
  section: 'ports',
  needs: 'ports.read',
  absent: atHosts,
  part: (server) => part(load, { server, list: 'ports' }),
} as const satisfies SectionFeature
