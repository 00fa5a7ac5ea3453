import type { Extension, ExtensionProblem } from '../../contract/bridge/values.ts'
import { t } from '../messages/t.svelte.ts'

const FORMATS: Readonly<Record<string, string | undefined>> = {
  ...{ paper: 'Paper', bukkit: 'Bukkit', bungee: 'BungeeCord', velocity: 'Velocity' },
  ...{ fabric: 'Fabric', quilt: 'Quilt', forge: 'Forge', neoforge: 'NeoForge' },
}

export function problemWords({ kind, name, wants, has, field, reason }: ExtensionProblem): string {
  const other = name || t('extensions.problem-something')
  if (typeof kind !== 'string') return t('extensions.problem-unknown', { name: kind.raw })
  switch (kind) {
    case 'missing-dependency':
      return wants
        ? t('extensions.problem-missing-version', { name: other, wants })
        : t('extensions.problem-missing-dependency', { name: other })
    case 'clash':
      return t('extensions.problem-clash', { name: other })
    case 'wrong-software': {
      // The format would fit, but the plugin does not support Folia.
      if (name === 'folia' && !wants) return t('extensions.problem-not-for-folia')
      const maker = wants ?? FORMATS[name ?? '']
      return maker
        ? t('extensions.problem-wrong-software-for', { wants: maker })
        : t('extensions.problem-wrong-software')
    }
    case 'wrong-java':
      if (wants && has)
        return t(`extensions.problem-wrong-java-${isMajor(wants) ? 'newer' : 'has'}`, { wants, has })
      return wants ? t('extensions.problem-wrong-java-for', { wants }) : t('extensions.problem-wrong-java')
    case 'wrong-version':
      return wants
        ? t('extensions.problem-wrong-version-for', { wants })
        : t('extensions.problem-wrong-version')
    case 'duplicate':
      return name ? t('extensions.problem-duplicate-of', { name }) : t('extensions.problem-duplicate')
    case 'unreadable':
      return typeof reason === 'string'
        ? t(`extensions.unreadable-${reason}`)
        : t('extensions.problem-unreadable')
    case 'not-described':
      return name
        ? t('extensions.problem-broken-description', { name })
        : t('extensions.problem-not-described')
    case 'invalid-description':
      return field
        ? t('extensions.problem-invalid-field', { name: other, field })
        : t('extensions.problem-invalid-description', { name: other })
    case 'wrong-file-name':
      return t('extensions.problem-wrong-file-name')
    case 'wrong-side':
      return t('extensions.problem-wrong-side')
  }
}

export function problemAdvice(problem: ExtensionProblem): string {
  const { kind, name, wants, has, most, reason } = problem
  if (typeof kind !== 'string') return ''
  // We did not look inside; the server may still load it.
  if (kind === 'unreadable' && typeof reason === 'string' && NOT_LOOKED_INTO.has(reason))
    return t('extensions.advice-not-read')
  if (kind === 'not-described' && name) return t('extensions.advice-unreadable')
  if (kind === 'wrong-java' && wants && has && isMajor(wants))
    return most && !isTaken(problem)
      ? t('extensions.advice-no-newer-java', { most })
      : t('extensions.advice-older-java', { wants })
  if (kind === 'wrong-file-name') return name ? t('extensions.advice-wrong-file-name', { name }) : ''
  return t(`extensions.advice-${kind}`)
}

const isMajor = (wants: string): boolean => /^\d{1,3}$/.test(wants)

const isTaken = ({ wants, most }: ExtensionProblem): boolean => !most || Number(wants) <= Number(most)

/** The Java major that suits both the extension and the server; null if none, or unknown. */
export function javaToUse({ problems }: Extension): string | null {
  const majors = (problems ?? []).flatMap((problem) =>
    problem.kind === 'wrong-java' && problem.wants && isMajor(problem.wants) && isTaken(problem)
      ? Number(problem.wants)
      : [],
  )
  return majors.length > 0 ? String(Math.max(...majors)) : null
}

const NOT_LOOKED_INTO: ReadonlySet<string> = new Set(['too-large', 'too-slow', 'not-file', 'not-opened'])

export const missingOf = ({ problems }: Extension): string[] => [
  ...new Set(
    (problems ?? []).flatMap(({ kind, name }) => (kind === 'missing-dependency' && name ? [name] : [])),
  ),
]
