/** Rendered pages by id. Whoever changes a page must flush it. */
export class PageCache {
  readonly #rendered = new Map<string, string>();

  get(id: string | number, render: () => string): string {
    const key = String(id);
    const cached = this.#rendered.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const fresh = render();
    this.#rendered.set(key, fresh);
    return fresh;
  }

  flush(id: string | number): void {
    this.#rendered.delete(String(id));
  }
}
