/** Folder in the data folder where files of a page wait until they are sent. */
export const UPLOAD_BUFFER = 'spool'
