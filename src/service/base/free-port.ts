import { createServer } from 'node:net'

/** Minecraft's own port; unless told otherwise servers are given this one or the next free ones. */
export const FIRST_GAME_PORT = 25565

/** The first port from `first` up that is not in `taken` and that nothing on this computer listens on. */
export async function findFreePort(
  host: string,
  taken: ReadonlySet<number>,
  first: number,
): Promise<number | null> {
  for (let port = first; port <= 65535; port++) {
    if (!taken.has(port) && (await canListen(host, port))) return port
  }
  return null
}

function canListen(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
