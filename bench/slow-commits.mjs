/**
 * Loaded into the server by `node --import`: each commit blocks the process for `?milliseconds=` longer, as on a slow
 * disk. The server's own code is unchanged.
 */
import { createRequire } from 'node:module'

const addedMilliseconds = Number(new URL(import.meta.url).searchParams.get('milliseconds'))
const cell = new Int32Array(new SharedArrayBuffer(4))

const require = createRequire(import.meta.url)
/** @type {typeof import('@photostructure/sqlite')} */
const driver = require('@photostructure/sqlite')

class DatabaseSync extends driver.DatabaseSync {
  /** @override @param {string} statement */
  exec(statement) {
    if (/^commit$/i.test(statement)) Atomics.wait(cell, 0, 0, addedMilliseconds)
    return super.exec(statement)
  }
}

// Later imports of the driver get the slow one.
const loaded = require.cache[require.resolve('@photostructure/sqlite')]
if (loaded === undefined) throw new Error('The driver is loaded in another way, and as fast as ever')
loaded.exports = { ...driver, DatabaseSync }
