export interface ViewAddress {
  view: string
  connectionId: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
}

export const viewKey = ({ view, connectionId, params = {}, query = {} }: ViewAddress): string =>
  JSON.stringify([view, connectionId, inOrder(params), inOrder(query)])

function inOrder<T>(values: Readonly<Record<string, T>>): [string, T][] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.sort(([a], [b]) => (a < b ? -1 : 1))
}

export function namedBy(key: string): Required<ViewAddress> {
  const [view, connectionId, params, query] = JSON.parse(key) as [
    string,
    string,
    [string, string][],
    [string, unknown][],
  ]
  return { view, connectionId, params: Object.fromEntries(params), query: Object.fromEntries(query) }
}
