import { asRefusal } from '../refusals.ts'
import { Refusal } from '../../refusal.ts'

/** What this service can do of tus. */
export const TUS = {
  'Tus-Resumable': '1.0.0',
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,termination,expiration',
}

/** A path as it stands in the header `Upload-Final-Path`: its parts percent-encoded. */
export const finalPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/**
 * The refusal for what the protocol's server answered, so that the error's body is the API's. Our own come as they are.
 * @param path of the file, for people
 */
export async function asTusRefusal(failure: unknown, response: Response, path: string): Promise<unknown> {
  const headers = { 'Tus-Resumable': '1.0.0' }
  if (failure instanceof Refusal) {
    const { status, code, message, fields } = failure
    return new Refusal(status, code, message, {
      ...(fields && { fields }),
      headers: { ...failure.headers, ...headers },
    })
  }
  // An error of the disk can come past the store, out of the stream; any other nobody expected, and belongs into the log.
  if (failure instanceof Error && !('status_code' in failure)) {
    const refusal = asRefusal(failure, path)
    return refusal instanceof Refusal ? asTusRefusal(refusal, response, path) : failure
  }
  const { status } = response
  switch (status) {
    case 404:
    case 410:
      return new Refusal(404, 'files.upload-not-found', 'This upload was not found. Start again.', {
        headers,
      })
    case 409: {
      const message = 'The upload is at another offset. Ask for it with HEAD, and continue there.'
      return new Refusal(409, 'files.upload-offset', message, { headers })
    }
    case 413: {
      const message = 'More bytes arrived than were announced at the start of this upload.'
      return new Refusal(413, 'files.too-large', message, { headers })
    }
    default: {
      const why = (await response.text()).trim()
      const message = `This does not follow the tus protocol, version 1.0.0: ${why || `status ${status}`}.`
      return new Refusal(status >= 500 && status !== 501 ? 500 : status, 'files.upload-invalid', message, {
        headers: { ...headers, ...(status === 412 && { 'Tus-Version': '1.0.0' }) },
      })
    }
  }
}
