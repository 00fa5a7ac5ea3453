import type { Server } from 'node:net'
import { describeProcess, listenerOn } from './other-process.ts'
import { StartProblem } from './start-problem.ts'

/** Listens on an address. Throws a StartProblem that names the port's owner if known. */
export async function bind(server: Server, host: string, port: number): Promise<void> {
  const bound = Promise.withResolvers<void>()
  server.once('error', bound.reject)
  server.listen({ host, port, exclusive: true }, () => bound.resolve())
  try {
    await bound.promise
  } catch (error) {
    throw await explain(error as NodeJS.ErrnoException, host, port)
  } finally {
    // Later errors concern a single connection; the server keeps accepting.
    server.on('error', () => undefined)
    server.off('error', bound.reject)
  }
}

async function explain(error: NodeJS.ErrnoException, host: string, port: number): Promise<StartProblem> {
  if (error.code === 'EADDRINUSE') {
    const who = await describeProcess(await listenerOn(port))
    const message = `Port ${port} on ${host} is in use by ${who}. End it, or choose another port with --port.`
    return new StartProblem('port-taken', message, { cause: error })
  }
  const why = error.code === 'EACCES' ? 'this user is not allowed to use this port' : error.message
  const message = `This program cannot listen on ${host}, port ${port}: ${why}. Choose others with --host and --port.`
  return new StartProblem('address-not-usable', message, { cause: error })
}
