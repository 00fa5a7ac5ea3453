import { PanelProblem, problem } from '../api/problem.ts'

/** Says what is wrong with a file of this computer. `what` names it for people. Anything unknown stays as it is. */
export function localProblem(error: unknown, what: string): unknown {
  if (error instanceof PanelProblem) return error
  const code = isFull(error) ? 'ENOSPC' : ((error as NodeJS.ErrnoException | null)?.code ?? '')
  const detail = { detail: code, retryable: false, serviceCode: 'computer.file' }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return problem(
        'too-large',
        `The disk of this computer is full, so “${what}” could not be kept. Make room and try again.`,
        detail,
      )
    case 'ENOENT':
    case 'ENOTDIR':
      return problem('not-found', `“${what}” is no longer on this computer. Pick it again.`, detail)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return problem(
        'forbidden',
        `This computer does not let the panel at “${what}”. Change its rights.`,
        detail,
      )
    case 'EBUSY':
    case 'ETXTBSY':
      return problem('conflict', `Another program holds “${what}”. Close it there and try again.`, detail)
    case 'EISDIR':
      return problem('changed', `“${what}” is a folder now. Pick it again.`, detail)
    case 'EMFILE':
    case 'ENFILE':
    case 'EIO':
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return problem('invalid', `This computer cannot use “${what}” (${code}).`, detail)
    default:
      return error
  }
}

/** Whether this computer says that its disk is full. What the queue's own file says crosses from its thread as text. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '') ||
  (error instanceof Error && /\bENOSPC\b|\bSQLITE_FULL\b|database or disk is full/i.test(error.message))
