import { localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from './problem.ts'

/** Explains a file system error. `name` is the file's display name. Unknown errors are returned unchanged. */
export function fsProblem(error: unknown, name: string): unknown {
  if (error instanceof PanelProblem) return error
  const code = isFull(error) ? 'ENOSPC' : codeOf(error)
  const detail = { detail: code, retryable: false, serviceCode: 'computer.file' }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return problem('too-large', localized('here.full', { name }), detail)
    case 'ENOENT':
    case 'ENOTDIR':
      return problem('not-found', localized('here.gone', { name }), detail)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return problem('forbidden', localized('here.forbidden', { name }), detail)
    case 'EBUSY':
    case 'ETXTBSY':
      return problem('conflict', localized('here.held', { name }), detail)
    case 'EISDIR':
      return problem('changed', localized('here.folder-now', { name }), detail)
    case 'EMFILE':
    case 'ENFILE':
    case 'EIO':
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return problem('invalid', localized('here.unusable', { name, code }), detail)
    default:
      return error
  }
}

/** Errors from worker threads arrive as text that begins with the code. */
function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return code
  return /^(E[A-Z]+)\b/.exec(typeof message === 'string' ? message : '')?.[1] ?? ''
}

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '') ||
  (error instanceof Error && /\bENOSPC\b|\bSQLITE_FULL\b|database or disk is full/i.test(error.message))
