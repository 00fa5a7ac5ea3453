import type { Values } from '../../contract/messages/message.ts'
import type { PartId } from '../../contract/messages/refusals/index.ts'
import { proxyFaultOf } from '../../host/network/proxy-fault.ts'
import { refusal, type Refusal } from '../../host/refusal.ts'
import type { RemoteFile } from './remote-file.ts'

// eslint-disable-next-line no-control-regex -- these are what must not be in one
const named = ({ name }: RemoteFile) => name.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 100)

const hostOf = ({ url }: RemoteFile) => (URL.canParse(url) ? new URL(url).host : 'its address')

export interface Reason {
  part: PartId
  values?: Values
}

/** 502. `kept`: the next attempt resumes. */
export function downloadFailed(
  file: RemoteFile,
  { part, values }: Reason,
  { tries = 1, kept = false }: { tries?: number; kept?: boolean } = {},
): Refusal {
  const all = { ...values, file: named(file), host: hostOf(file), reason: part }
  if (kept) return refusal(502, 'software.download-failed.kept', { ...all, times: tries })
  if (tries > 1) return refusal(502, 'software.download-failed.tried', { ...all, times: tries })
  return refusal(502, 'software.download-failed', all)
}

/** 502: wrong content, twice. */
export const wrongChecksum = (file: RemoteFile): Refusal =>
  refusal(502, 'software.download-wrong', { file: named(file), host: hostOf(file) })

export const tooLarge = (file: RemoteFile, bytes: number, mostBytes: number): Refusal =>
  refusal(422, 'software.download-too-large', { file: named(file), bytes, most: mostBytes })

/** 507. Bytes: `needed` to come, `spare` to stay free. */
export const noRoom = (
  file: RemoteFile,
  { needed, free, spare }: { needed: number; free: number; spare: number },
): Refusal =>
  refusal(507, 'software.disk-full', { file: named(file), needed, spare, free: Math.max(0, free) })

export const keptUnreadable = (file: RemoteFile): Refusal =>
  refusal(500, 'software.download-unreadable', { file: named(file) })

const REASONS: Record<string, PartId> = {
  ECONNREFUSED: 'refuses',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  UND_ERR_SOCKET: 'cut',
  UND_ERR_ABORTED: 'cut',
  ENOTFOUND: 'no-host',
  EAI_AGAIN: 'no-host',
  ENETUNREACH: 'no-way',
  EHOSTUNREACH: 'no-way',
  ETIMEDOUT: 'silent',
  UND_ERR_CONNECT_TIMEOUT: 'silent',
  UND_ERR_HEADERS_TIMEOUT: 'silent',
  PROXY_NAME: 'proxy-name',
  PROXY_REFUSED: 'proxy-refuses',
  PROXY_KIND: 'proxy-kind',
}

export function reasonOfNetwork(error: unknown): Reason {
  const { code = '', cause, message = '' } = (error ?? {}) as Error & { code?: string }
  const known = REASONS[proxyFaultOf(error) ?? code]
  if (known) return { part: known }
  if (cause) return reasonOfNetwork(cause)
  if (/CERT|SIGNATURE|^ERR_(TLS|SSL)/.test(code)) return { part: 'certificate', values: { code } }
  const why = code || message.replace(/\.$/, '')
  return why ? { part: 'network', values: { code: why } } : { part: 'cut' }
}
