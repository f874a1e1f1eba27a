export interface Post {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly url: string;
}

/** What is done where a repository lives. Numbers are those of pull requests, or of merge requests. */
export interface Forge {
  /** Whoever the token belongs to, as the author of what it writes. */
  author(): Promise<string>;
  readonly number: number | undefined;
  readonly commit: string | undefined;
  comments(number: number): AsyncIterable<Post>;
  comment(number: number, body: string): Promise<Post>;
  editComment(number: number, id: number, body: string): Promise<Post>;
  /** The open ones. */
  issues(): AsyncIterable<Post>;
  openIssue(title: string, body: string, labels: readonly string[]): Promise<Post>;
  editIssue(id: number, body: string): Promise<Post>;
  /** @param words the last comment */
  closeIssue(id: number, words: string): Promise<void>;
  /** Whether a pull request is closed or merged; `undefined` where there is none of that number. */
  isClosed(number: number): Promise<boolean | undefined>;
}
