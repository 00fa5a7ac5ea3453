export type NumericId = readonly [resource: string, id: string]

/** Ids remembered per resource, enough for a long list. */
export const IDS_MOST = 20_000
