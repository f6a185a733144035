/** The Node option that makes every commit on SQLite slower. @param {number} milliseconds */
export const optionOfSlowDisk = (milliseconds) =>
  `--import=${new URL('slow-commits.mjs', import.meta.url).href}?milliseconds=${milliseconds}`
