import { ConfigureAnalyzerRequest } from "@pulumi/pulumi/proto/analyzer_pb";

/**
 * Looks at the names in the configuration that the engine hands over. The SDK asks it only for the policies that it knows: the
 * request that it reads is the one place where the other names can be seen.
 *
 * @param check throws to refuse them, which the engine then prints
 */
export function checkNames(check: (names: readonly string[]) => void): void {
  const { deserializeBinary } = ConfigureAnalyzerRequest;
  ConfigureAnalyzerRequest.deserializeBinary = (bytes) => {
    const request = deserializeBinary(bytes);
    const policies = request.getPolicyconfigMap();
    // What is thrown already here is not printed.
    request.getPolicyconfigMap = () => {
      check([...policies.keys()]);
      return policies;
    };
    return request;
  };
}
