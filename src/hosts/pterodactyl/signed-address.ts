import { type HostBytes, HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import type { PanelApi } from './panel-api.ts'

/** Between two pieces, ms. */
export const SILENT_MS = 60_000

/** Opens an address that the panel signed. It names its own permission and may be another company's: no key goes there. */
export async function openSigned(
  api: PanelApi,
  url: string,
  { signal }: Caller,
  range: string | null = null,
): Promise<HostBytes> {
  const address = api.address(url, 'https:')
  const { statusCode, headers, body } = await api.dispatcher.request({
    ...{ origin: address.origin, path: address.pathname + address.search, method: 'GET', signal },
    bodyTimeout: SILENT_MS,
    headers: { 'user-agent': 'Wheelhouse', ...(range !== null && { range }) },
  })
  body.on('error', () => {})
  const length = Number(headers['content-length'] ?? Number.NaN)
  const size = Number.isSafeInteger(length) ? length : null
  const part = headers['content-range']
  if (statusCode === 200) return { stream: body, size }
  if (statusCode === 206 && typeof part === 'string') return { stream: body, size, range: part }
  body.destroy()
  if (statusCode === 416) throw new HostRefusal(416, 'This part is beyond the end.')
  throw statusCode === 404 ? hostRefusal(404, 'host.not-found') : hostRefusal(503, 'host.node-away')
}
