import { request, type RequestOptions } from 'node:http'
import { createRequire } from 'node:module'
import type * as Runtime from 'builder-util-runtime'

// The library's own part for HTTP belongs to Electron. This one is as its builder has it, over Node.
const require = createRequire(import.meta.url)
const fromLibrary = createRequire(require.resolve('electron-updater'))
const runtime = fromLibrary('builder-util-runtime') as typeof Runtime

/** Tests only: requests of an updater over Node's HTTP. */
export class NodeHttp extends runtime.HttpExecutor<ReturnType<typeof request>> {
  override createRequest(options: RequestOptions, callback: (response: unknown) => void) {
    // A connection for each: the library listens to one that is kept once more with every request.
    return request({ ...options, agent: false }, callback)
  }

  async download(url: URL, destination: string, options: Runtime.DownloadOptions) {
    return await options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const asked: RequestOptions = { headers: options.headers ?? undefined }
      runtime.configureRequestUrl(url, asked)
      runtime.configureRequestOptions(asked)
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination))
      this.doDownload(asked, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}
