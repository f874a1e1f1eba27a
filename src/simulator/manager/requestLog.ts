/** A request that went through a port. */
export interface RequestLog {
  uuid: string;
  port: number;
  url: string;
  method: string;
  hostname: string;
  protocol: string;
  status_code: number;
  content_type: string;
  /** In milliseconds since 1970. */
  timestamp: number;
  /** Bytes received and sent. */
  in_bw: number;
  out_bw: number;
  success: boolean;
  username?: string;
}
