import { asRefusal } from '../names/refusals.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'

export const TUS = {
  'Tus-Resumable': '1.0.0',
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,termination,expiration',
}

/** Percent-encoded for the `Upload-Final-Path` header. */
export const finalPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Turns the tus server's errors into our format; keeps our own. */
export async function asTusRefusal(failure: unknown, response: Response, path: string): Promise<unknown> {
  const headers = { 'Tus-Resumable': '1.0.0' }
  if (failure instanceof Refusal) {
    return failure.with({ ...failure.headers, ...headers })
  }
  // Disk errors may come from the stream, bypassing the store. Others are unexpected: log them.
  if (failure instanceof Error && !('status_code' in failure)) {
    const refused = asRefusal(failure, path)
    return refused instanceof Refusal ? asTusRefusal(refused, response, path) : failure
  }
  const { status } = response
  switch (status) {
    case 404:
    case 410:
      return refusal(404, 'files.upload-not-found.unknown').with(headers)
    case 409:
      return refusal(409, 'files.upload-offset').with(headers)
    case 413:
      return refusal(413, 'files.too-large.announced').with(headers)
    default: {
      const why = (await response.text()).trim() || `status ${status}`
      return refusal(status >= 500 && status !== 501 ? 500 : status, 'files.upload-invalid', { why }).with({
        ...headers,
        ...(status === 412 && { 'Tus-Version': '1.0.0' }),
      })
    }
  }
}
