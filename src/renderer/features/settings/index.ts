import { hostKindOf } from '../../../contract/rules/hosts.ts'
import { atHosts } from '../../core/servers/place.ts'
import { part, type SectionFeature, type TabFeature } from '../feature.ts'

export const settings = {
  tab: 'settings',
  part: (server, sections) => part(() => import('./ServerSettings.svelte'), { server, sections }),
} as const satisfies TabFeature

export const general = {
  section: 'general',
  needs: 'config.read',
  // Its name is that of its message to players.
  absent: ({ connection }) => (hostKindOf(connection?.baseUrl ?? '') === 'sftp' ? 'config' : null),
  part: (server) => part(() => import('./GeneralSettings.svelte'), { server }),
} as const satisfies SectionFeature

export const properties = {
  section: 'properties',
  needs: 'config.read',
  absent: ({ server }) => (server?.software?.proxy ? 'properties' : null),
  inConfig: ({ properties }) => Array.isArray(properties),
  part: (server) => part(() => import('./GameSettings.svelte'), { server }),
} as const satisfies SectionFeature

export const proxy = {
  section: 'proxy',
  needs: 'files.read',
  absent: ({ server }) => (server?.software?.proxy && server.software.id === 'velocity' ? null : 'proxy'),
  part: (server) => part(() => import('./proxy/ProxySettings.svelte'), { server }),
} as const satisfies SectionFeature

export const java = {
  section: 'java',
  needs: 'config.read',
  inConfig: ({ java, autoStart }) => typeof java === 'string' || typeof autoStart === 'boolean',
  part: (server) => part(() => import('./JavaSettings.svelte'), { server }),
} as const satisfies SectionFeature

export const startup = {
  section: 'startup',
  needs: 'startup.read',
  absent: atHosts,
  part: (server) => part(() => import('./startup/StartupSettings.svelte'), { server }),
} as const satisfies SectionFeature

export const danger = {
  section: 'danger',
  needs: 'owner',
  part: (server) => part(() => import('./DangerZone.svelte'), { server }),
} as const satisfies SectionFeature
