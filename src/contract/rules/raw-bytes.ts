/** Linux names are bytes. In contract paths, bytes (80 to FF) of invalid UTF-8 become U+F700 plus the byte. */
export const RAW_BYTES = /[\uf780-\uf7ff]/g

export const hasRawBytes = (name: string): boolean => name.search(RAW_BYTES) >= 0

export const shownBytes = (text: string): string => text.replaceAll(RAW_BYTES, '\ufffd')
