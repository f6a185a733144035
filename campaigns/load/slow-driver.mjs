import * as driver from '@photostructure/sqlite'

const addedMilliseconds = 10
const cell = new Int32Array(new SharedArrayBuffer(4))

export class DatabaseSync extends driver.DatabaseSync {
  /** @override @param {string} statement */
  exec(statement) {
    if (/^commit$/i.test(statement)) Atomics.wait(cell, 0, 0, addedMilliseconds)
    return super.exec(statement)
  }
}
