/** What a view is asked with: the parameters of its read's path, and of its query. */
export interface Asked {
  view: string
  connectionId: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
}

/** What names a view: the same for the same read and values, in whatever order they are given. */
export const viewKey = ({ view, connectionId, params = {}, query = {} }: Asked): string =>
  JSON.stringify([view, connectionId, inOrder(params), inOrder(query)])

/** Given values by their names in order, without those that are not given. */
function inOrder<T>(values: Readonly<Record<string, T>>): [string, T][] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The view that a key names. */
export function namedBy(key: string): Required<Asked> {
  const [view, connectionId, params, query] = JSON.parse(key) as [
    string,
    string,
    [string, string][],
    [string, unknown][],
  ]
  return { view, connectionId, params: Object.fromEntries(params), query: Object.fromEntries(query) }
}
