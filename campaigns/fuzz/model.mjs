/**
 * The simplest model of a farm: everything in lists, every query a full scan. It shares no code with the server.
 * @typedef {{ id: string, point: string | null }} Area
 * @typedef {{ id: string, archived: boolean }} Asset
 * @typedef {object} Log
 * @property {string} id
 * @property {string} name
 * @property {number} timestamp
 * @property {boolean} done
 * @property {string[]} assets
 * @property {string[]} areas of its movement
 * @property {string | null} geometry of its movement
 * @property {string[]} groups
 * @property {{ asset: string, value: string }[]} inventory
 */

export class Model {
  /** @type {Area[]} */
  areas = []
  /** @type {Asset[]} */
  assets = []
  /** @type {Asset[]} */
  groups = []
  /** @type {Log[]} */
  logs = []

  /**
   * The latest effective log that matches.
   * @param {string} asset
   * @param {number} now
   * @param {(log: Log) => boolean} says
   */
  #latest(asset, now, says) {
    const found = this.logs.filter((log) => log.done && log.timestamp <= now && log.assets.includes(asset) && says(log))
    return found.sort((one, other) => other.timestamp - one.timestamp || Number(other.id) - Number(one.id))[0]
  }

  /** @param {string} asset @param {number} now @returns {string[]} */
  locationOf(asset, now) {
    return this.#moved(asset, now)?.areas ?? []
  }

  /** @param {string} asset @param {number} now */
  #moved(asset, now) {
    return this.#latest(asset, now, (log) => log.areas.length > 0 || log.geometry !== null)
  }

  /** @param {string} asset @param {number} now @returns {string} */
  geometryOf(asset, now) {
    const moved = this.#moved(asset, now)
    if (moved === undefined) return ''
    if (moved.geometry !== null) return moved.geometry
    const points = moved.areas.flatMap((id) => this.areas.find((area) => area.id === id)?.point ?? [])
    if (points.length < 2) return points[0] ?? ''
    return `MULTIPOINT (${points.map((point) => point.replace('POINT ', '')).join(', ')})`
  }

  /** @param {string} asset @param {number} now @returns {string[]} */
  groupsOf(asset, now) {
    return this.#latest(asset, now, (log) => log.groups.length > 0)?.groups ?? []
  }

  /** @param {string} asset @param {number} now */
  inventoryOf(asset, now) {
    const values = this.logs
      .filter((log) => log.done && log.timestamp <= now)
      .flatMap((log) => log.inventory.filter((one) => one.asset === asset).map(({ value }) => value))
    const decimals = Math.max(0, ...values.map((value) => value.split('.')[1]?.length ?? 0))
    const sum = values.reduce((total, value) => total + scaled(value, decimals), 0n)
    return spelled(sum, decimals)
  }

  /** @param {string} area @param {number} now */
  contentsOf(area, now) {
    return [...this.assets, ...this.groups]
      .filter(({ id, archived }) => !archived && this.locationOf(id, now).includes(area))
      .map(({ id }) => id)
  }

  /** @param {string} asset */
  isReferredTo(asset) {
    return this.logs.some(
      (log) =>
        log.assets.includes(asset) || log.groups.includes(asset) || log.inventory.some((one) => one.asset === asset),
    )
  }
}

/** @param {string} value @param {number} decimals */
function scaled(value, decimals) {
  const [whole = '', part = ''] = value.replace('-', '').split('.')
  const digits = BigInt(whole + part.padEnd(decimals, '0'))
  return value.startsWith('-') ? -digits : digits
}

/** @param {bigint} sum @param {number} decimals */
function spelled(sum, decimals) {
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return sum < 0n ? `-${text}` : text
}
