/**
 * Linux names are bytes, and some are not valid UTF-8. In a contract path, each such byte (80 to FF) is one of these
 * characters: U+F700 plus the byte.
 */
export const RAW_BYTES = /[\uf780-\uf7ff]/g

/** Whether a name contains bytes that are not valid UTF-8. */
export const hasRawBytes = (name: string): boolean => name.search(RAW_BYTES) >= 0

/** A text for display, with replacement characters for raw bytes. */
export const shownBytes = (text: string): string => text.replaceAll(RAW_BYTES, '\ufffd')
