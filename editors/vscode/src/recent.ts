// The values that were asked for most recently.

export class Recent<K, V> {
  private readonly values = new Map<K, V>();

  constructor(private readonly limit: number, private readonly drop: (value: V) => void) {}

  /** The value of `key`, made if it is not there; the one that was not asked for the longest time goes. */
  get(key: K, make: () => V): V {
    const value = this.values.get(key) ?? make();
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.limit) {
      const [oldest, old] = this.values.entries().next().value as [K, V];
      this.values.delete(oldest);
      this.drop(old);
    }
    return value;
  }

  clear(): void {
    for (const value of this.values.values()) this.drop(value);
    this.values.clear();
  }
}
