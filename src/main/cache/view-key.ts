import type { ViewKind } from '../../contract/bridge/values.ts'

/** What names a view of any kind. */
export interface Named {
  connectionId: string
  serverId?: string
  path?: string
}

/** The key of a view, in memory and on the disk. */
export function viewKey(kind: ViewKind, { connectionId, serverId, path }: Named): string {
  return [kind, connectionId, serverId ?? '', ...(path === undefined ? [] : [path])].join('\n')
}

/** The view that a key names. Only a path may hold what divides a key, and it stands last. */
export function namedBy(key: string): [ViewKind, Named] {
  const [kind = '', connectionId = '', serverId = '', ...path] = key.split('\n')
  return [
    kind as ViewKind,
    {
      connectionId,
      ...(serverId !== '' && { serverId }),
      ...(path.length > 0 && { path: path.join('\n') }),
    },
  ]
}
