/** An id, and what it names. */
export type NumericId = readonly [resource: string, id: string]

/** Ids remembered of one kind of thing: as many as a long list holds. */
export const IDS_MOST = 20_000
