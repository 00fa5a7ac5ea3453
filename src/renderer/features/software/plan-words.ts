import type { ViewValue } from '../../core/bridge.ts'
import { bytes } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'
import { problemWords } from '../../catalog/extension-problems.ts'
import { isStopped } from '../../../contract/rules/power.ts'
import { missingScope } from '../../core/servers/power.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'

export type Plan = ViewValue<'software.plan'>
type Item = NonNullable<Plan['items']>[number]

interface SoftwareLabel {
  name: string
  version: string
  /** The chosen one; otherwise the newest. */
  build?: string | null
  /** If it is this software and version. */
  installed?: string | null
}

export interface PlanWord {
  text: string
  /** `stop`: not possible. */
  tone: 'note' | 'warn' | 'stop'
  /** The world is lost with it. */
  isGrave?: true
  unfit?: UnfitSummary | undefined
}

export interface UnfitSummary {
  named: { name: string; version: string; why: string }[]
  more: number
}

/** The gravest first. Unknown items are left out. */
export function planWords(plan: Plan, software: SoftwareLabel): PlanWord[] {
  const words = (plan.items ?? []).flatMap((item) => wordOf(item, plan, software) ?? [])
  const grave = (tone: PlanWord['tone']) => words.filter((word) => word.tone === tone)
  return [...grave('stop'), ...grave('warn'), ...grave('note'), ofCopy(plan)]
}

function ofCopy({ copyBytes, freeBytes }: Plan): PlanWord {
  const isTold = typeof copyBytes === 'number' && typeof freeBytes === 'number'
  const text = isTold
    ? t('software.copy-first', { size: bytes(copyBytes), free: bytes(freeBytes) })
    : t('software.copy-first-unsized')
  return { text, tone: 'note' }
}

function wordOf(item: Item, plan: Plan, software: SoftwareLabel): PlanWord | null {
  const { kind, from, to, count, major } = item
  const name = software.name
  switch (kind) {
    case 'older-version':
      return {
        ...{ tone: 'warn', isGrave: true },
        text: t('software.older-version', { from: from ?? '', to: to ?? software.version }),
      }
    case 'newer-version':
      return {
        tone: 'note',
        text: t('software.newer-version', { from: from ?? '', to: to ?? software.version }),
      }
    case 'plugins-stop':
    case 'mods-stop':
      return {
        tone: 'warn',
        text: t(`software.${kind}`, { count: count ?? 1, software: name }),
        unfit: unfitOf(item),
      }
    case 'plugins-unfit':
    case 'mods-unfit': {
      const to = `${name} ${software.version}`
      return {
        tone: 'warn',
        text: t(`software.${kind}`, { count: count ?? 1, software: to }),
        unfit: unfitOf(item),
      }
    }
    case 'few-plugins':
      return { tone: 'warn', text: t('software.few-plugins', { count: count ?? 1 }) }
    case 'no-world':
      return { tone: 'warn', text: t('software.no-world', { software: name }) }
    case 'dimensions-move':
      return { tone: 'note', text: t('software.dimensions-move', { software: name }) }
    case 'unstable':
      return { tone: 'warn', text: t('software.unstable') }
    case 'java':
      return major ? { tone: 'note', text: t('software.java', { major: String(major) }) } : null
    case 'same-version': {
      const build = software.build ?? plan.build
      // The choice of builds says so.
      if (build && build === software.installed) return null
      return {
        tone: 'note',
        text: software.build
          ? t('software.same-version-chosen', { build: software.build })
          : build
            ? t('software.same-version-build', { build })
            : t('software.same-version'),
      }
    }
    case 'no-room':
      return {
        tone: 'stop',
        text: t('software.no-room', { size: bytes(plan.copyBytes ?? 0), free: bytes(plan.freeBytes ?? 0) }),
      }
    default:
      return null
  }
}

function unfitOf({ kind, count, extensions }: Item): UnfitSummary | undefined {
  if (!extensions?.length) return undefined
  const isTold = kind === 'plugins-stop' || kind === 'mods-stop'
  const named = extensions.map(({ name, version, problems }) => ({
    name,
    version: version ?? '',
    why: isTold ? '' : (problems ?? []).map(problemWords).join(' · '),
  }))
  return { named, more: Math.max(0, (count ?? 0) - named.length) }
}

export function whyNot(server: ServerState, owner = false): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  const role = server.server?.role
  if (owner && Array.isArray(role)) return t('software.owner')
  const missing = missingScope(role, ['software.write'])
  if (missing) return t('software.no-scope', { scope: missing })
  if (server.kind === 'installing') return t('software.setting-up')
  return isStopped(server.kind) || server.kind === 'unknown' ? null : t('software.not-stopped')
}

export const softwareName = (
  software: { id: string; name?: string | null; version?: string | null } | null | undefined,
): string =>
  software
    ? [software.name ?? software.id, software.version].filter(Boolean).join(' ')
    : t('software.unknown')
