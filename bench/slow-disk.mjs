/** The option of Node with which a server on SQLite takes so much longer for every commit. @param {number} milliseconds */
export const optionOfSlowDisk = (milliseconds) =>
  `--import=${new URL('slow-commits.mjs', import.meta.url).href}?milliseconds=${milliseconds}`
